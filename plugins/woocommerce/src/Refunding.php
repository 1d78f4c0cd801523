<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Money;
use Florin\Result\Refund;
use WP_Error;

/** A refund from the order page. */
final class Refunding
{
    /** @return true|WP_Error */
    public static function send(OrderState $state, string $amount, string $reason): bool|WP_Error
    {
        $currency = $state->order->get_currency();
        $minor = Lines::toMinor($amount, $currency);
        $txRef = $state->paidTxRef();
        if ($txRef === '' || $minor <= 0) {
            return new WP_Error('florin_refund', __('There is nothing to refund at Florin.', 'florin-payments'));
        }
        // The same refund asked for again after a lost answer has the same reference, so it happens once.
        $known = $state->refundRefs();
        $ref = "$txRef-r" . (count($known) + 1) . "-$minor";
        $refund = Refund::from((new Http($state->mode()))->call(
            'POST',
            '/api/transaction/' . rawurlencode($txRef) . '/refund',
            array_filter([
                'refund_ref' => $ref,
                'amount' => Money::toDecimal($minor, $currency),
                'reason' => mb_substr(wp_strip_all_tags($reason), 0, 200),
            ]),
            mayRepeat: true,
        ));
        if ($refund->status === 'failed') {
            return new WP_Error('florin_refund', (string) ($refund->data['failure'] ?? __('The refund was refused.', 'florin-payments')));
        }
        $state->keepRefundRefs([...$known, $ref]);
        /* translators: 1: amount 2: reference */
        $text = $refund->status === 'success'
            ? __('Florin refunded %1$s, reference %2$s.', 'florin-payments')
            : __('Florin is refunding %1$s, reference %2$s. The bank has not answered yet.', 'florin-payments');
        $state->noteOnce("refund:$ref", sprintf($text, Money::toDecimal($minor, $currency) . " $currency", $ref));

        return true;
    }
}
