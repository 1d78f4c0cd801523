<?php

declare(strict_types=1);

namespace FlorinWoo\Unexpected;

use Florin\Money;
use Florin\Result\Payment;
use FlorinWoo\OrderState;
use FlorinWoo\Outcome;

/**
 * Money at Florin that its order does not expect. Each payment has an option of its own, so that two orders never write the same one, and
 * so that it outlives an order that is deleted.
 *
 * @phpstan-type Record array{tx_ref: string, mode: string, order: int, number: string, why: string, status: string, total: string, amount: int, currency: string, reference: string, left: int, kept: bool, refund: int}
 */
final class Payments
{
    public const DELETED = 'deleted';
    private const OPTION = 'florin_payments_unexpected_';
    private const SHOWN_MAX = 20;

    /** @return Record|null */
    public static function find(string $txRef): ?array
    {
        $record = get_option(self::OPTION . $txRef);

        return is_array($record) ? $record : null;
    }

    /**
     * Those the shop has not decided about.
     *
     * @return list<Record>
     */
    public static function open(?int $orderId = null): array
    {
        global $wpdb;
        $names = $wpdb->get_col($wpdb->prepare("select option_name from $wpdb->options where option_name like %s order by option_id desc", $wpdb->esc_like(self::OPTION) . '%'));
        $records = array_filter(array_map(static fn (string $name): ?array => self::find(substr($name, strlen(self::OPTION))), $names));
        $open = array_filter($records, static fn (array $record): bool => $record['left'] > 0 && !$record['kept'] && ($orderId === null || $record['order'] === $orderId));

        return array_slice(array_values($open), 0, self::SHOWN_MAX);
    }

    /**
     * The first time, mails the shop. Later, learns what has been refunded.
     *
     * @return Record|null null: all of the money went back before the shop heard of it
     */
    public static function report(Payment $payment, string $why, OrderState $state): ?array
    {
        $order = $state->order;

        return self::add($payment, [
            'order' => $order->get_id(),
            'number' => $order->get_order_number(),
            'why' => $why,
            'status' => $order->get_status(),
            'total' => self::amount($state->totalMinor(), $order->get_currency()),
        ]);
    }

    /**
     * @param array{order: int, number: string, why: string, status: string, total: string} $about
     * @return Record|null
     */
    public static function add(Payment $payment, array $about): ?array
    {
        $left = Outcome::left($payment);
        $known = self::find($payment->txRef);
        if ($known === null && $left <= 0) {
            return null;
        }
        $record = ['left' => $left] + ($known ?? $about + [
            'tx_ref' => $payment->txRef,
            'mode' => $payment->mode,
            'amount' => $payment->amountMinor,
            'currency' => $payment->currency,
            'reference' => $payment->reference,
            'kept' => false,
            'refund' => 1,
        ]);
        // A refund that failed stays failed: the next one needs a name of its own.
        $failed = array_filter(Outcome::refunds($payment), static fn (array $refund): bool => ($refund['refund_ref'] ?? '') === self::refundRef($record) && $refund['status'] === 'failed');
        $record['refund'] += count($failed);
        self::write($record);
        if ($known === null) {
            (WC()->mailer()->get_emails()['FlorinUnexpected'] ?? null)?->trigger($record);
        }

        return $record;
    }

    /** @param Record $record */
    public static function write(array $record): void
    {
        update_option(self::OPTION . $record['tx_ref'], $record, false);
    }

    public static function forget(string $txRef): void
    {
        delete_option(self::OPTION . $txRef);
    }

    /**
     * Of the refund of all that is left. The same until that refund has failed.
     *
     * @param Record $record
     */
    public static function refundRef(array $record): string
    {
        return "{$record['tx_ref']}-back-{$record['refund']}";
    }

    /** @param Record $record */
    public static function describe(array $record): string
    {
        $amount = self::amount($record['amount'], $record['currency']);
        $text = match ($record['why']) {
            /* translators: 1: amount 2: reference */
            Outcome::PAID_TWICE => __('The customer paid this order a second time: Florin received %1$s (reference %2$s).', 'florin-payments'),
            /* translators: 1: amount 2: reference 3: total of the order */
            Outcome::WRONG_AMOUNT => __('Florin received %1$s (reference %2$s), but the total of this order is %3$s. Check it before you ship.', 'florin-payments'),
            /* translators: 1: amount 2: reference */
            self::DELETED => __('Florin received %1$s (reference %2$s) for an order that was deleted.', 'florin-payments'),
            /* translators: 1: amount 2: reference 4: status of the order */
            default => __('Florin received %1$s (reference %2$s) after this order was set to “%4$s”. The customer may have paid twice.', 'florin-payments'),
        };
        $test = $record['mode'] === 'test' ? ' ' . __('Test mode: no money moved.', 'florin-payments') : '';

        return sprintf($text, $amount, $record['reference'], $record['total'], wc_get_order_status_name($record['status'])) . $test;
    }

    public static function amount(int $minor, string $currency): string
    {
        return Money::toDecimal($minor, $currency) . " $currency";
    }
}
