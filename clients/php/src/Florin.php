<?php

declare(strict_types=1);

namespace Florin;

use Closure;
use Florin\Resource\Account;
use Florin\Resource\Balance;
use Florin\Resource\Disputes;
use Florin\Resource\Endpoints;
use Florin\Resource\Notifications;
use Florin\Resource\Payments;
use Florin\Resource\Payouts;
use Florin\Resource\Projects;
use Florin\Resource\Refunds;
use Florin\Resource\SavedMethods;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;
use SensitiveParameter;

/** Florin's API over any PSR-18 client. One per key: sk_… for payments, ak_… for projects. */
final class Florin
{
    public readonly Account $account;
    public readonly Payments $payments;
    public readonly Refunds $refunds;
    /** Methods that customers agreed to save, charged without them. */
    public readonly SavedMethods $savedMethods;
    public readonly Disputes $disputes;
    /** What networks paid to your bank. */
    public readonly Payouts $payouts;
    public readonly Balance $balance;
    public readonly Notifications $notifications;
    /** URLs that hear of every payment, besides each payment's own callback_url. */
    public readonly Endpoints $endpoints;
    /** With an API key (ak_…). */
    public readonly Projects $projects;

    /**
     * @param string $baseUrl where your Florin runs, such as https://pay.example.com
     * @param (Closure(int): void)|null $wait pauses for milliseconds; for tests
     */
    public function __construct(
        #[SensitiveParameter] string $key,
        string $baseUrl,
        ClientInterface $http,
        RequestFactoryInterface $requests,
        StreamFactoryInterface $streams,
        int $maxRetries = 3,
        ?Closure $wait = null,
    ) {
        $api = new Api($key, $baseUrl, $http, $requests, $streams, $maxRetries, $wait);
        $this->account = new Account($api);
        $this->payments = new Payments($api);
        $this->refunds = new Refunds($api);
        $this->savedMethods = new SavedMethods($api);
        $this->disputes = new Disputes($api);
        $this->payouts = new Payouts($api);
        $this->balance = new Balance($api);
        $this->notifications = new Notifications($api);
        $this->endpoints = new Endpoints($api);
        $this->projects = new Projects($api);
    }
}
