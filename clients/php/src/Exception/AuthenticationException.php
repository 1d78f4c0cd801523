<?php

declare(strict_types=1);

namespace Florin\Exception;

/** 401: the key is missing, unknown, revoked or of the wrong kind. */
final class AuthenticationException extends FlorinException
{
}
