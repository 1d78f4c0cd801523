<?php

declare(strict_types=1);

namespace Florin\Resource;

use Florin\Api;
use Florin\Result\Account as AccountResult;

final class Account
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /** Whose key this is, in which mode, and what it may do: for a "test connection" button. */
    public function get(): AccountResult
    {
        return AccountResult::from($this->api->data('GET', '/api/account'));
    }
}
