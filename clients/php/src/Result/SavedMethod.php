<?php

declare(strict_types=1);

namespace Florin\Result;

/** A payment method that a customer agreed to save. */
final class SavedMethod
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        public readonly string $id,
        /** card or debit; newer servers may say more. */
        public readonly string $kind,
        /** Whether you can charge it. Once false, it stays false. */
        public readonly bool $usable,
        public readonly string $customerRef,
        public readonly ?string $brand,
        public readonly ?string $last4,
        /** The month in which it expires, such as 2029-08. */
        public readonly ?string $expires,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        $text = static fn (string $name): ?string => isset($data[$name]) ? (string) $data[$name] : null;

        return new self(
            (string) ($data['id'] ?? ''),
            (string) ($data['kind'] ?? ''),
            (bool) ($data['usable'] ?? false),
            (string) ($data['customer_ref'] ?? ''),
            $text('brand'),
            $text('last4'),
            $text('expires'),
            $data,
        );
    }
}
