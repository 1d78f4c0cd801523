<?php

declare(strict_types=1);

namespace Florin\Exception;

/** 409: something with this reference exists already, or its status does not allow the change. */
final class ConflictException extends FlorinException
{
}
