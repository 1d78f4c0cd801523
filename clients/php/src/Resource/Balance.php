<?php

declare(strict_types=1);

namespace Florin\Resource;

use Florin\Api;
use Florin\Result\AccountBalance;

final class Balance
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * What networks hold for you: one for each account and currency.
     *
     * @return list<AccountBalance>
     */
    public function get(): array
    {
        return array_map(AccountBalance::from(...), array_values($this->api->data('GET', '/api/balance')['balances'] ?? []));
    }
}
