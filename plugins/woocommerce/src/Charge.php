<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Result\Payment;

/** What came of charging a saved method. No WordPress in here: it is tried without one. */
final class Charge
{
    public const PAID = 'paid';
    /** The customer's bank wants them: they go to the payment's page. */
    public const NEEDS_CUSTOMER = 'needs_customer';
    /** The network has not decided: Florin reports it. */
    public const WAITS = 'waits';
    public const DECLINED = 'declined';
    /** The method can never be charged again. */
    public const ENDED = 'ended';

    public static function outcome(Payment $payment): string
    {
        $failure = (string) ($payment->data['failure']['code'] ?? '');

        return match (true) {
            in_array($payment->status, Outcome::PAID_STATUSES, true) => self::PAID,
            $payment->status === 'pending' => $failure === 'needs_customer' && $payment->checkoutUrl !== null ? self::NEEDS_CUSTOMER : self::WAITS,
            $failure === 'method_ended' => self::ENDED,
            default => self::DECLINED,
        };
    }

    /** A charge that is not decided yet, and no page that the customer has opened: only a charge names its method before it is paid. */
    public static function isOpen(Payment $payment): bool
    {
        return $payment->status === 'pending' && isset($payment->data['saved_method']);
    }

    /**
     * Month and year of a card, as WooCommerce keeps them; null without a whole date.
     *
     * @return array{string, string}|null
     */
    public static function expiry(?string $expires): ?array
    {
        return preg_match('/^(\d{4})-(\d{2})$/', (string) $expires, $parts) === 1 ? [$parts[2], $parts[1]] : null;
    }

    /** Florin's name of a customer of this shop. */
    public static function customerRef(string $prefix, int $customerId): string
    {
        return "$prefix-customer-$customerId";
    }
}
