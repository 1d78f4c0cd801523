<?php

declare(strict_types=1);

namespace Florin\Result;

/** A web form that was refused. */
final class FormRefusal
{
    /** @param array<string, mixed> $data everything Florin sent, for fields that are not named here */
    private function __construct(
        public readonly string $code,
        /** Names the first rule that failed. */
        public readonly string $message,
        /** @var array<string, list<string>> every rule that failed, by field */
        public readonly array $errors,
        public readonly ?string $txRef,
        public readonly string $requestId,
        public readonly string $createdAt,
        public readonly array $data,
    ) {
    }

    /** @param array<string, mixed> $data */
    public static function from(array $data): self
    {
        return new self(
            (string) ($data['code'] ?? ''),
            (string) ($data['message'] ?? ''),
            is_array($data['errors'] ?? null) ? $data['errors'] : [],
            isset($data['tx_ref']) ? (string) $data['tx_ref'] : null,
            (string) ($data['request_id'] ?? ''),
            (string) ($data['created_at'] ?? ''),
            $data,
        );
    }
}
