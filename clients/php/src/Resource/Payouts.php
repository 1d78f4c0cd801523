<?php

declare(strict_types=1);

namespace Florin\Resource;

use Florin\Api;
use Florin\Listing;
use Florin\Result\Payout;
use Florin\Result\PayoutLine;

final class Payouts
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    public function get(string $id): Payout
    {
        return Payout::from($this->api->data('GET', '/api/payouts/{id}', ['id' => $id]));
    }

    /**
     * @param array<string, string|int|bool> $filters of GET /api/payouts
     * @return Listing<Payout>
     */
    public function list(array $filters = []): Listing
    {
        return $this->api->list('GET', '/api/payouts', [], $filters, Payout::from(...));
    }

    /**
     * Test mode only: the test network pays out what it holds.
     *
     * @return list<Payout>
     */
    public function payOutNow(): array
    {
        return array_map(Payout::from(...), array_values($this->api->data('POST', '/api/payouts')));
    }

    /**
     * Every booking in the payout.
     *
     * @param array<string, string|int|bool> $filters of GET /api/payouts/{id}/lines
     * @return Listing<PayoutLine>
     */
    public function lines(string $id, array $filters = []): Listing
    {
        return $this->api->list('GET', '/api/payouts/{id}/lines', ['id' => $id], $filters, PayoutLine::from(...));
    }
}
