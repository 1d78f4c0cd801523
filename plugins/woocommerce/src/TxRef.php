<?php

declare(strict_types=1);

namespace FlorinWoo;

/** The tx_ref of a payment: shop, order and attempt. */
final class TxRef
{
    public static function of(string $prefix, int $orderId, int $attempt): string
    {
        return "$prefix-$orderId-$attempt";
    }

    /** The order, or null for a payment that isn't this shop's. */
    public static function orderId(string $prefix, string $txRef): ?int
    {
        $isOurs = preg_match('/^' . preg_quote($prefix, '/') . '-(\d{1,18})-\d{1,6}$/D', $txRef, $parts) === 1;

        return $isOurs ? (int) $parts[1] : null;
    }
}
