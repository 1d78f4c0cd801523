<?php

declare(strict_types=1);

namespace Florin\Result;

/** Whose key it is. */
final class Account
{
    /**
     * @param list<string> $currencies in which payments can be created with this key
     * @param array<string, mixed> $data everything Florin sent, for fields that are not named here
     */
    private function __construct(
        public readonly string $merchant,
        /** test or live; null for an API key, which has none. */
        public readonly ?string $mode,
        /** secret or api. */
        public readonly string $keyKind,
        public readonly string $keyName,
        public readonly array $currencies,
        public readonly bool $isLiveEnabled,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['merchant']['name'] ?? ''),
            isset($data['mode']) ? (string) $data['mode'] : null,
            (string) ($data['key']['kind'] ?? ''),
            (string) ($data['key']['name'] ?? ''),
            is_array($data['currencies'] ?? null) ? $data['currencies'] : [],
            (bool) ($data['live_enabled'] ?? false),
            $data,
        );
    }
}
