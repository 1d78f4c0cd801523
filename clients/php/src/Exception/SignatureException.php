<?php

declare(strict_types=1);

namespace Florin\Exception;

/** A webhook that is not from Florin, was changed, or is too old. */
final class SignatureException extends FlorinException
{
}
