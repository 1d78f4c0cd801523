<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\ConnectionException;
use Florin\Exception\FlorinException;
use Florin\Exception\NotFoundException;
use Florin\Exception\RateLimitException;
use Florin\Exception\ServerException;
use Florin\Money;
use Florin\Result\Refund;
use FlorinWoo\Unexpected\Payments;
use RuntimeException;
use WP_Error;

/** Refunds from the order page, and of money that an order does not expect. */
final class Refunding
{
    /** The refund_ref of a refund that Florin has not answered yet. */
    private const OPEN = '_florin_refund_open';
    private const COUNT = '_florin_refund_count';

    /** @return true|WP_Error */
    public static function send(OrderState $state, string $amount, string $reason): bool|WP_Error
    {
        $currency = $state->order->get_currency();
        $minor = Lines::toMinor($amount, $currency);
        [$txRef, $mode] = self::source($state, $currency);
        if ($txRef === '' || $minor <= 0) {
            return new WP_Error('florin_refund', __('There is nothing to refund at Florin.', 'florin-payments'));
        }
        $ref = self::refundRef($state, $txRef, $mode, $minor);
        try {
            $refund = self::ask($mode, $txRef, ['refund_ref' => $ref, 'amount' => Money::toDecimal($minor, $currency), 'reason' => mb_substr(wp_strip_all_tags($reason), 0, 200)]);
        } catch (ConnectionException | ServerException | RateLimitException $error) {
            // Florin may have it: the next try has the same reference, so it happens once.
            throw $error;
        } catch (FlorinException $error) {
            self::settle($state);
            throw $error;
        }
        if ($refund->status === 'failed') {
            self::settle($state);

            return new WP_Error('florin_refund', self::failure($refund));
        }
        $state->keep(self::OPEN, '');
        $state->keepRefundRefs([...$state->refundRefs(), $ref]);
        $state->noteOnce("refund:$ref", self::describe($refund, Payments::amount($minor, $currency), $ref));
        if ($txRef !== $state->paidTxRef()) {
            Sync::apply($state, (new Http($mode))->payment($txRef));
        }

        return true;
    }

    /**
     * All that is left of money that an order does not expect.
     *
     * @param array<string, mixed> $record of Payments
     */
    public static function sendBack(array $record): string
    {
        $ref = Payments::refundRef($record);
        $refund = self::ask($record['mode'], $record['tx_ref'], ['refund_ref' => $ref]);
        if ($refund->status === 'failed') {
            Payments::write(['refund' => $record['refund'] + 1] + $record);
            throw new RuntimeException(self::failure($refund));
        }

        return self::describe($refund, Payments::amount((int) $refund->data['amount_minor'], $record['currency']), $ref);
    }

    /**
     * The refund is taken from the payment that paid the order, else from money that the order does not expect.
     *
     * @return array{string, string} tx_ref and mode; empty if there is none
     */
    private static function source(OrderState $state, string $currency): array
    {
        if ($state->paidTxRef() === '' && $state->txRef() !== '') {
            // Money that Florin has not reported yet.
            try {
                Sync::apply($state, (new Http($state->mode()))->payment($state->txRef()));
            } catch (NotFoundException) {
                // The attempt never reached Florin.
            }
        }
        if ($state->paidTxRef() !== '') {
            return [$state->paidTxRef(), $state->mode()];
        }
        $open = Payments::open($state->order->get_id());
        foreach ($open as $record) {
            if ($record['currency'] === $currency) {
                return [$record['tx_ref'], $record['mode']];
            }
        }
        if ($open !== []) {
            /* translators: 1: amount 2: currency */
            throw new RuntimeException(sprintf(__('Florin received %1$s, but this order is in %2$s. Use the button in the notice above the order.', 'florin-payments'), Payments::amount($open[0]['amount'], $open[0]['currency']), $currency));
        }

        return ['', ''];
    }

    /** A refund whose answer was lost keeps its reference when the same amount is refunded again. */
    private static function refundRef(OrderState $state, string $txRef, string $mode, int $minor): string
    {
        $open = (string) $state->order->get_meta(self::OPEN);
        if (str_starts_with($open, "$txRef-r") && str_ends_with($open, "-$minor") && !in_array($open, $state->refundRefs(), true)) {
            return $open;
        }
        if ($open !== '') {
            $payment = (new Http($mode))->payment($txRef);
            Sync::apply($state, $payment);
            self::settle($state);
            $made = array_filter(Outcome::refunds($payment), static fn (array $refund): bool => $refund['refund_ref'] === $open && $refund['status'] !== 'failed');
            if ($made !== []) {
                /* translators: %s: reference */
                throw new RuntimeException(sprintf(__('An earlier refund (%s) went through, although its answer was lost. Reload the page before you refund more.', 'florin-payments'), $open));
            }
        }
        $count = max((int) $state->order->get_meta(self::COUNT), count($state->refundRefs())) + 1;
        $ref = "$txRef-r$count-$minor";
        $state->keep(self::COUNT, (string) $count);
        $state->keep(self::OPEN, $ref);
        // Before Florin is asked: a server that dies must find it again.
        $state->order->save();

        return $ref;
    }

    /** Florin has answered: the next refund is another one. */
    private static function settle(OrderState $state): void
    {
        $state->keep(self::OPEN, '');
        $state->order->save();
    }

    /** @param array<string, string> $request */
    private static function ask(string $mode, string $txRef, array $request): Refund
    {
        return Refund::from((new Http($mode))->call('POST', '/api/transaction/' . rawurlencode($txRef) . '/refund', array_filter($request, static fn (string $value): bool => $value !== ''), mayRepeat: true));
    }

    private static function failure(Refund $refund): string
    {
        return (string) ($refund->data['failure'] ?? __('The refund was refused.', 'florin-payments'));
    }

    private static function describe(Refund $refund, string $amount, string $ref): string
    {
        /* translators: 1: amount 2: reference */
        $text = $refund->status === 'success'
            ? __('Florin refunded %1$s, reference %2$s.', 'florin-payments')
            : __('Florin is refunding %1$s, reference %2$s. The bank has not answered yet.', 'florin-payments');

        return sprintf($text, $amount, $ref);
    }
}
