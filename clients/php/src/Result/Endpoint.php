<?php

declare(strict_types=1);

namespace Florin\Result;

final class Endpoint
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        public readonly string $id,
        /** Null for a running florin listen. */
        public readonly ?string $url,
        /** @var list<string> * alone means all. */
        public readonly array $events,
        public readonly string $description,
        public readonly string $mode,
        /** How its URL does: failing, paused …; newer servers may say more. */
        public readonly string $status,
        /** Only in the answer to create(): what its notifications are signed with. */
        public readonly ?string $secret,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['id'] ?? ''),
            isset($data['url']) ? (string) $data['url'] : null,
            is_array($data['events'] ?? null) ? $data['events'] : [],
            (string) ($data['description'] ?? ''),
            (string) ($data['mode'] ?? ''),
            (string) ($data['status'] ?? ''),
            isset($data['secret']) ? (string) $data['secret'] : null,
            $data,
        );
    }
}
