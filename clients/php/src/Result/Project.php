<?php

declare(strict_types=1);

namespace Florin\Result;

final class Project
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        public readonly string $id,
        /** Its name. */
        public readonly string $project,
        public readonly string $createdAt,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['id'] ?? ''),
            (string) ($data['project'] ?? ''),
            (string) ($data['created_at'] ?? ''),
            $data,
        );
    }
}
