<?php

declare(strict_types=1);

namespace Florin\Resource;

use Florin\Api;
use Florin\Listing;
use Florin\Result\Dispute;

final class Disputes
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    public function get(string $id): Dispute
    {
        return Dispute::from($this->api->data('GET', '/api/disputes/{id}', ['id' => $id]));
    }

    /**
     * @param array<string, string|int|bool> $filters of GET /api/disputes
     * @return Listing<Dispute>
     */
    public function list(array $filters = []): Listing
    {
        return $this->api->list('GET', '/api/disputes', [], $filters, Dispute::from(...));
    }
}
