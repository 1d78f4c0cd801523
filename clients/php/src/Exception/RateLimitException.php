<?php

declare(strict_types=1);

namespace Florin\Exception;

/** 429, after all retries. */
final class RateLimitException extends FlorinException
{
}
