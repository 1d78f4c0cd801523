<?php

declare(strict_types=1);

namespace Florin\Result;

/** A bank that asks for the money of a payment back. */
final class Dispute
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        public readonly string $id,
        /** evidence_due, under_review, won or lost; newer servers may say more. */
        public readonly string $status,
        public readonly string $txRef,
        public readonly int $amountMinor,
        public readonly string $currency,
        public readonly string $reason,
        /** Until when you can answer; null when nothing is asked of you. */
        public readonly ?string $evidenceDueAt,
        /** The bank has the money, for now or for good. */
        public readonly bool $moneyTaken,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['id'] ?? ''),
            (string) ($data['status'] ?? ''),
            (string) ($data['tx_ref'] ?? ''),
            (int) ($data['amount_minor'] ?? 0),
            (string) ($data['currency'] ?? ''),
            (string) ($data['reason'] ?? ''),
            isset($data['evidence_due_at']) ? (string) $data['evidence_due_at'] : null,
            (bool) ($data['money_taken'] ?? false),
            $data,
        );
    }
}
