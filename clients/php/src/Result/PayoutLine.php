<?php

declare(strict_types=1);

namespace Florin\Result;

/** One booking in a payout. */
final class PayoutLine
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        public readonly string $id,
        /** payment, refund, dispute, fee, adjustment or difference; newer servers may say more. */
        public readonly string $kind,
        /** Of your payment; null when it is about none. */
        public readonly ?string $txRef,
        public readonly int $grossMinor,
        public readonly int $feeMinor,
        public readonly int $taxMinor,
        public readonly int $netMinor,
        public readonly string $currency,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['id'] ?? ''),
            (string) ($data['kind'] ?? ''),
            isset($data['tx_ref']) ? (string) $data['tx_ref'] : null,
            (int) ($data['gross_minor'] ?? 0),
            (int) ($data['fee_minor'] ?? 0),
            (int) ($data['tax_minor'] ?? 0),
            (int) ($data['net_minor'] ?? 0),
            (string) ($data['currency'] ?? ''),
            $data,
        );
    }
}
