<?php

declare(strict_types=1);

namespace Florin\Resource;

use Florin\Api;
use Florin\Result\TestResult;

final class Notifications
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * Sends a signed sample to your server and says how it went.
     *
     * @param array<string, mixed> $sample callback_url and, if you like, event
     */
    public function sendTest(array $sample): TestResult
    {
        return TestResult::from($this->api->data('POST', '/api/notifications/test', body: $sample));
    }

    /**
     * Goes on calling a URL that Florin has paused.
     *
     * @param array<string, mixed> $receiver origin: your callback_url, or its host for all URLs there
     * @return int how many notifications were waiting
     */
    public function resume(array $receiver): int
    {
        return (int) $this->api->data('POST', '/api/notifications/resume', body: $receiver)['deliveries'];
    }
}
