<?php

declare(strict_types=1);

namespace Florin\Exception;

/** 403: the key is valid and may not do this. */
final class PermissionException extends FlorinException
{
}
