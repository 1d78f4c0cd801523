<?php

declare(strict_types=1);

namespace Florin\Exception;

use RuntimeException;
use Throwable;

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
        ?Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }

    /** @return class-string<FlorinException> */
    public static function classFor(int $status): string
    {
        return match (true) {
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
