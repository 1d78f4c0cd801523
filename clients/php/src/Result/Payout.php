<?php

declare(strict_types=1);

namespace Florin\Result;

/** One transfer from a network to your bank. */
final class Payout
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        public readonly string $id,
        /** announced, on_its_way, arrived, failed or returned; newer servers may say more. */
        public readonly string $status,
        public readonly string $network,
        public readonly int $amountMinor,
        public readonly string $currency,
        /** The day it is expected at your bank. */
        public readonly ?string $arrivesOn,
        /** What your bank statement shows. */
        public readonly ?string $bankReference,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['id'] ?? ''),
            (string) ($data['status'] ?? ''),
            (string) ($data['network'] ?? ''),
            (int) ($data['amount_minor'] ?? 0),
            (string) ($data['currency'] ?? ''),
            isset($data['arrives_on']) ? (string) $data['arrives_on'] : null,
            isset($data['bank_reference']) ? (string) $data['bank_reference'] : null,
            $data,
        );
    }
}
