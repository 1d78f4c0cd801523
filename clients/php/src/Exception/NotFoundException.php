<?php

declare(strict_types=1);

namespace Florin\Exception;

/** 404. */
final class NotFoundException extends FlorinException
{
}
