<?php

declare(strict_types=1);

namespace Florin\Resource;

use Florin\Api;
use Florin\Listing;
use Florin\Result\Endpoint;
use Florin\Result\TestResult;

final class Endpoints
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * Its secret is in this answer only.
     *
     * @param array<string, mixed> $endpoint url and, if you like, events and description
     */
    public function create(array $endpoint): Endpoint
    {
        return Endpoint::from($this->api->data('POST', '/api/endpoints', body: $endpoint));
    }

    public function get(string $id): Endpoint
    {
        return Endpoint::from($this->api->data('GET', '/api/endpoints/{id}', ['id' => $id]));
    }

    /**
     * @param array<string, string|int|bool> $filters
     * @return Listing<Endpoint>
     */
    public function list(array $filters = []): Listing
    {
        return $this->api->list('GET', '/api/endpoints', [], $filters, Endpoint::from(...));
    }

    /** @param array<string, mixed> $changes url, events or description */
    public function change(string $id, array $changes): Endpoint
    {
        return Endpoint::from($this->api->data('PATCH', '/api/endpoints/{id}', ['id' => $id], $changes, mayRepeat: true));
    }

    public function delete(string $id): void
    {
        $this->api->data('DELETE', '/api/endpoints/{id}', ['id' => $id]);
    }

    public function pause(string $id): Endpoint
    {
        return Endpoint::from($this->api->data('POST', '/api/endpoints/{id}/pause', ['id' => $id]));
    }

    public function resume(string $id): Endpoint
    {
        return Endpoint::from($this->api->data('POST', '/api/endpoints/{id}/resume', ['id' => $id]));
    }

    /**
     * Returns the new secret. It is shown once; the old one signs too for overlap_hours.
     *
     * @param array<string, mixed> $options overlap_hours
     */
    public function rollSecret(string $id, array $options = []): string
    {
        return (string) $this->api->data('POST', '/api/endpoints/{id}/roll-secret', ['id' => $id], $options)['secret'];
    }

    /**
     * Sends a signed sample to the endpoint and says how it went.
     *
     * @param array<string, mixed> $sample event
     */
    public function test(string $id, array $sample = []): TestResult
    {
        return TestResult::from($this->api->data('POST', '/api/endpoints/{id}/test', ['id' => $id], $sample));
    }
}
