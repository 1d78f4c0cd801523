<?php

declare(strict_types=1);

namespace Florin\Exception;

/** A rule failed: see $errors. */
final class InvalidRequestException extends FlorinException
{
}
