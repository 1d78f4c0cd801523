<?php

declare(strict_types=1);

namespace Florin\Resource;

use Florin\Api;
use Florin\Listing;
use Florin\Result\Refund;

final class Refunds
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    public function get(string $refundRef): Refund
    {
        return Refund::from($this->api->data('GET', '/api/refunds/{refund_ref}', ['refund_ref' => $refundRef]));
    }

    /**
     * @param array<string, string|int|bool> $filters of GET /api/refunds
     * @return Listing<Refund>
     */
    public function list(array $filters = []): Listing
    {
        return $this->api->list('GET', '/api/refunds', [], $filters, Refund::from(...));
    }

    /** @param array<string, string|int|bool> $filters of GET /api/refunds.csv */
    public function exportCsv(array $filters = []): string
    {
        return $this->api->text('GET', '/api/refunds.csv', $filters);
    }
}
