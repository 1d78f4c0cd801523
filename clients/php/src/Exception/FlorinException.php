<?php

declare(strict_types=1);

namespace Florin\Exception;

use RuntimeException;

/** Everything this client throws, except mistakes in your own code. It never contains your key. */
class FlorinException extends RuntimeException
{
    /**
     * @param array<string, list<string>> $errors every rule that failed, by field
     * @param array<string, mixed>|null $existing with the code tx_ref_taken: status and, while pending, checkout_url
     */
    final public function __construct(
        string $message,
        public readonly ?int $status = null,
        public readonly ?string $errorCode = null,
        public readonly ?string $requestId = null,
        public readonly array $errors = [],
        public readonly ?array $existing = null,
        /** With 429 and some 5xx: when to try again. */
        public readonly ?int $retryAfterSeconds = null,
    ) {
        parent::__construct($message);
    }

    /** From an answer, whatever fetched it: plugins that may not use PSR-18 throw the same exceptions. */
    public static function from(int $status, string $body, string $requestId = '', ?int $retryAfterSeconds = null): self
    {
        $read = json_decode($body, true, 64);
        // A proxy in between may answer with a page of its own.
        $failure = is_array($read) ? $read : [];
        $class = self::classFor($status);

        return new $class(
            is_string($failure['message'] ?? null) ? $failure['message'] : "Florin answered $status",
            $status,
            is_string($failure['code'] ?? null) ? $failure['code'] : null,
            $requestId === '' ? null : $requestId,
            is_array($failure['errors'] ?? null) ? $failure['errors'] : [],
            is_array($failure['existing'] ?? null) ? $failure['existing'] : null,
            $retryAfterSeconds,
        );
    }

    /** @return class-string<FlorinException> */
    private static function classFor(int $status): string
    {
        return match (true) {
            // A redirect isn't followed: it would take your key along.
            $status < 400 => ConnectionException::class,
            $status === 401 => AuthenticationException::class,
            $status === 403 => PermissionException::class,
            $status === 404 => NotFoundException::class,
            $status === 409 => ConflictException::class,
            $status === 429 => RateLimitException::class,
            $status >= 500 => ServerException::class,
            default => InvalidRequestException::class,
        };
    }
}
