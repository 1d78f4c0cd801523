<?php

declare(strict_types=1);

namespace Florin\Resource;

use Florin\Api;
use Florin\Listing;
use Florin\Money;
use Florin\Result\Payment;
use Florin\Result\SavedMethod;

final class SavedMethods
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * Charges without the customer; status says whether you were paid. tx_ref is the key, so a retry never charges twice.
     *
     * @param array<string, mixed> $charge fields of POST /api/saved-methods/{id}/charges; amount_minor (int) instead of amount if you like
     */
    public function charge(string $id, array $charge): Payment
    {
        return Payment::from($this->api->data(
            'POST',
            '/api/saved-methods/{id}/charges',
            ['id' => $id],
            body: Money::withAmount($charge, $charge['currency'] ?? null),
            mayRepeat: true,
        ));
    }

    /**
     * @param array<string, string|int|bool> $filters of GET /api/saved-methods: customer_ref
     * @return Listing<SavedMethod>
     */
    public function list(array $filters = []): Listing
    {
        return $this->api->list('GET', '/api/saved-methods', [], $filters, SavedMethod::from(...));
    }

    public function get(string $id): SavedMethod
    {
        return SavedMethod::from($this->api->data('GET', '/api/saved-methods/{id}', ['id' => $id]));
    }

    /** For good, at the network too. */
    public function end(string $id): SavedMethod
    {
        return SavedMethod::from($this->api->data('DELETE', '/api/saved-methods/{id}', ['id' => $id]));
    }
}
