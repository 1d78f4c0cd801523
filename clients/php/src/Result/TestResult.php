<?php

declare(strict_types=1);

namespace Florin\Result;

/** How a sample was received. */
final class TestResult
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        public readonly bool $delivered,
        /** What your server answered. */
        public readonly ?int $httpStatus,
        /** Why there was no answer. */
        public readonly ?string $error,
        public readonly int $ms,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (bool) ($data['delivered'] ?? false),
            isset($data['http_status']) ? (int) $data['http_status'] : null,
            isset($data['error']) ? (string) $data['error'] : null,
            (int) ($data['ms'] ?? 0),
            $data,
        );
    }
}
