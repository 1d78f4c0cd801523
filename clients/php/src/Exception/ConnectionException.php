<?php

declare(strict_types=1);

namespace Florin\Exception;

/** No answer: the call may have worked, so look it up. */
final class ConnectionException extends FlorinException
{
}
