<?php

declare(strict_types=1);

namespace Florin\Result;

/** What one account at a network holds in one currency. */
final class AccountBalance
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        public readonly string $network,
        public readonly string $account,
        public readonly string $currency,
        /** The network can't pay it out yet. */
        public readonly int $pendingMinor,
        public readonly int $availableMinor,
        /** Between the network and your bank. */
        public readonly int $onItsWayMinor,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['network'] ?? ''),
            (string) ($data['account'] ?? ''),
            (string) ($data['currency'] ?? ''),
            (int) ($data['pending_minor'] ?? 0),
            (int) ($data['available_minor'] ?? 0),
            (int) ($data['on_its_way_minor'] ?? 0),
            $data,
        );
    }
}
