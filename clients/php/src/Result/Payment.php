<?php

declare(strict_types=1);

namespace Florin\Result;

/** A payment as the look-up and the notifications show it. */
final class Payment
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        public readonly string $txRef,
        /** pending, success, failed, cancelled, expired, refunded or reversed; newer servers may say more. */
        public readonly string $status,
        public readonly string $currency,
        public readonly int $amountMinor,
        public readonly int $refundedMinor,
        public readonly string $reference,
        public readonly string $mode,
        public readonly ?string $checkoutUrl,
        public readonly ?string $paidAt,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['tx_ref'] ?? ''),
            (string) ($data['status'] ?? ''),
            (string) ($data['currency'] ?? ''),
            (int) ($data['amount_minor'] ?? 0),
            (int) ($data['refunded_minor'] ?? 0),
            (string) ($data['reference'] ?? ''),
            (string) ($data['mode'] ?? ''),
            isset($data['checkout_url']) ? (string) $data['checkout_url'] : null,
            isset($data['paid_at']) ? (string) $data['paid_at'] : null,
            $data,
        );
    }

    /** Paid in full, with this very amount: what to check before you ship. */
    public function isPaid(int $amountMinor, string $currency): bool
    {
        return $this->status === 'success'
            && $this->amountMinor === $amountMinor
            && $this->currency === strtoupper($currency);
    }
}
