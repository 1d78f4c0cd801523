<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Result\Payment;

/** What a payment means for its order. No WordPress in here: it is tried without one. */
final class Outcome
{
    public const PAID = 'paid';
    public const PAID_TWICE = 'paid_twice';
    public const WRONG_AMOUNT = 'wrong_amount';
    /** The shop has settled or ended the order without this payment. */
    public const SETTLED = 'settled';
    public const FAILED = 'failed';
    public const CANCELLED = 'cancelled';
    public const NOTHING = 'nothing';

    /** Refunded and reversed were paid before. */
    public const PAID_STATUSES = ['success', 'refunded', 'reversed'];

    /**
     * @param string $paidTxRef the payment, or another payment method, that paid the order; empty while none did
     * @param string $currentTxRef the newest attempt of the customer
     */
    public static function of(Payment $payment, int $totalMinor, string $currency, string $paidTxRef, string $currentTxRef, bool $takesPayment = true): string
    {
        if (in_array($payment->status, self::PAID_STATUSES, true)) {
            return match (true) {
                $paidTxRef === $payment->txRef => self::NOTHING,
                $paidTxRef !== '' => self::PAID_TWICE,
                !$takesPayment => self::SETTLED,
                $payment->amountMinor !== $totalMinor, $payment->currency !== $currency => self::WRONG_AMOUNT,
                default => self::PAID,
            };
        }
        // News of an earlier attempt must not end a newer one.
        if ($paidTxRef !== '' || $payment->txRef !== $currentTxRef) {
            return self::NOTHING;
        }

        return match ($payment->status) {
            'failed', 'expired' => self::FAILED,
            'cancelled' => self::CANCELLED,
            default => self::NOTHING,
        };
    }

    /** The part of the payment that is not refunded, not being refunded and not back at the bank. */
    public static function left(Payment $payment): int
    {
        if ($payment->status === 'reversed') {
            return 0;
        }
        $refunds = array_filter(self::refunds($payment), static fn (array $refund): bool => ($refund['status'] ?? '') !== 'failed');

        return $payment->amountMinor - (int) array_sum(array_column($refunds, 'amount_minor'));
    }

    /** @return list<array<string, mixed>> */
    public static function refunds(Payment $payment): array
    {
        return array_values(array_filter((array) ($payment->data['refunds'] ?? []), is_array(...)));
    }

    /**
     * Refunds that went through at Florin and aren't on the order.
     *
     * @param list<string> $known refund_refs that the order has
     * @return list<array<string, mixed>>
     */
    public static function newRefunds(Payment $payment, array $known): array
    {
        return array_values(array_filter(
            self::refunds($payment),
            static fn (array $refund): bool => ($refund['status'] ?? '') === 'success'
                && !in_array((string) ($refund['refund_ref'] ?? ''), $known, true),
        ));
    }
}
