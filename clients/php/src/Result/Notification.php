<?php

declare(strict_types=1);

namespace Florin\Result;

/** What Florin tells you or the customer, with every try. */
final class Notification
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        /** The webhook-id; for an endpoint followed by a dot and its id. */
        public readonly string $id,
        public readonly string $kind,
        public readonly string $event,
        /** The URL or the address. */
        public readonly string $target,
        public readonly string $status,
        /** @var list<array<string, mixed>> */
        public readonly array $attempts,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['id'] ?? ''),
            (string) ($data['kind'] ?? ''),
            (string) ($data['event'] ?? ''),
            (string) ($data['target'] ?? ''),
            (string) ($data['status'] ?? ''),
            is_array($data['attempts'] ?? null) ? $data['attempts'] : [],
            $data,
        );
    }
}
