<?php

declare(strict_types=1);

namespace Florin\Exception;

/** 5xx, after all retries. Look the payment up before you try again. */
final class ServerException extends FlorinException
{
}
