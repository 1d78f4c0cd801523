<?php

declare(strict_types=1);

namespace Florin\Result;

final class Refund
{
    /** @param array<string, mixed> $data everything Florin sent */
    private function __construct(
        public readonly string $refundRef,
        /** requested, submitted, success or failed; newer servers may say more. */
        public readonly string $status,
        public readonly string $txRef,
        public readonly string $currency,
        public readonly int $amountMinor,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['refund_ref'] ?? ''),
            (string) ($data['status'] ?? ''),
            (string) ($data['tx_ref'] ?? ''),
            (string) ($data['currency'] ?? ''),
            (int) ($data['amount_minor'] ?? 0),
            $data,
        );
    }
}
