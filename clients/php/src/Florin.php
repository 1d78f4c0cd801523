<?php

declare(strict_types=1);

namespace Florin;

use Closure;
use Florin\Exception\ConnectionException;
use Florin\Exception\FlorinException;
use Generator;
use InvalidArgumentException;
use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;

/** Florin's API for a secret key (sk_…), over any PSR-18 client. */
final class Florin
{
    private const FIRST_PAUSE_MS = 500;
    private const PAUSE_MAX_MS = 5_000;
    private const RETRY_AFTER_MAX_S = 60;

    private readonly Closure $wait;

    /** @param (Closure(int): void)|null $wait pauses for milliseconds; for tests */
    public function __construct(
        private readonly string $key,
        private readonly string $baseUrl,
        private readonly ClientInterface $http,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
        private readonly int $maxRetries = 3,
        ?Closure $wait = null,
    ) {
        $this->wait = $wait ?? static function (int $milliseconds): void {
            usleep($milliseconds * 1_000);
        };
    }

    /**
     * Creates a payment and returns the checkout URL to send the customer to. A retry never creates a second one.
     *
     * @param array<string, mixed> $payment fields of POST /api/payment; amount_minor (int) instead of amount if you like
     */
    public function createPayment(array $payment, ?string $idempotencyKey = null): string
    {
        $data = $this->call('POST', '/api/payment', self::withAmount($payment, $payment['currency'] ?? null), [
            'Idempotency-Key' => $idempotencyKey ?? bin2hex(random_bytes(16)),
        ]);

        return (string) $data['data']['checkout_url'];
    }

    public function payment(string $txRef): Payment
    {
        return Payment::from($this->call('GET', '/api/transaction/' . rawurlencode($txRef))['data']);
    }

    public function cancel(string $txRef): Payment
    {
        return Payment::from($this->call('POST', '/api/transaction/' . rawurlencode($txRef) . '/cancel')['data']);
    }

    /**
     * All that match, newest first, page by page as you go.
     *
     * @param array<string, string|int> $filters of GET /api/transactions
     * @return Generator<int, Payment>
     */
    public function payments(array $filters = []): Generator
    {
        foreach ($this->items('/api/transactions', $filters) as $item) {
            yield Payment::from($item);
        }
    }

    /** Sends money back: all that is left, or an amount. Sent again with the same reference it changes nothing. */
    public function refund(
        string $txRef,
        ?int $amountMinor = null,
        ?string $currency = null,
        ?string $refundRef = null,
        ?string $reason = null,
    ): Refund {
        $body = self::withAmount(
            array_filter(
                [
                    'refund_ref' => $refundRef ?? 'refund-' . bin2hex(random_bytes(16)),
                    'amount_minor' => $amountMinor,
                    'reason' => $reason,
                ],
                static fn (mixed $value): bool => $value !== null,
            ),
            $currency,
        );

        return Refund::from($this->call('POST', '/api/transaction/' . rawurlencode($txRef) . '/refund', $body)['data']);
    }

    /**
     * @param array<string, string|int> $filters of GET /api/refunds
     * @return Generator<int, Refund>
     */
    public function refunds(array $filters = []): Generator
    {
        foreach ($this->items('/api/refunds', $filters) as $item) {
            yield Refund::from($item);
        }
    }

    /**
     * Any other call: the whole answer as an array.
     *
     * @param array<string, mixed>|null $body
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    public function call(string $method, string $path, ?array $body = null, array $headers = []): array
    {
        $request = $this->requests
            ->createRequest($method, rtrim($this->baseUrl, '/') . $path)
            ->withHeader('Authorization', "Bearer {$this->key}")
            ->withHeader('Accept', 'application/json');
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        if ($body !== null) {
            $json = json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
            $request = $request
                ->withHeader('Content-Type', 'application/json')
                ->withBody($this->streams->createStream($json));
        }
        $mayRepeat = $method === 'GET' || isset($headers['Idempotency-Key']) || isset($body['refund_ref']);
        $answer = $this->send($request, $mayRepeat);
        $read = json_decode((string) $answer->getBody(), true, 64);

        return is_array($read) ? $read : [];
    }

    /** @param bool $mayRepeat whether sending it twice does nothing twice */
    private function send(RequestInterface $request, bool $mayRepeat): ResponseInterface
    {
        for ($tried = 0; ; ++$tried) {
            $isLast = $tried >= $this->maxRetries;
            $answer = null;
            try {
                $request->getBody()->rewind();
                $answer = $this->http->sendRequest($request);
            } catch (ClientExceptionInterface $error) {
                if ($isLast || !$mayRepeat) {
                    $host = $request->getUri()->getHost();
                    throw new ConnectionException("No answer from $host", previous: $error);
                }
            }
            $status = $answer?->getStatusCode();
            if ($answer !== null && $status >= 200 && $status < 300) {
                return $answer;
            }
            // A call that was refused with 429 did nothing; after a 5xx only a repeatable one may be sent again.
            if ($answer !== null && ($isLast || !($status === 429 || ($status >= 500 && $mayRepeat)))) {
                throw self::exceptionFor($answer);
            }
            ($this->wait)(self::pauseMs($answer, $tried));
        }
    }

    private static function pauseMs(?ResponseInterface $answer, int $tried): int
    {
        $seconds = $answer?->getHeaderLine('Retry-After') ?? '';
        if (ctype_digit($seconds)) {
            return 1_000 * min(self::RETRY_AFTER_MAX_S, (int) $seconds);
        }
        $pause = min(self::PAUSE_MAX_MS, self::FIRST_PAUSE_MS * 2 ** $tried);

        return intdiv($pause * random_int(75, 125), 100);
    }

    private static function exceptionFor(ResponseInterface $answer): FlorinException
    {
        $read = json_decode((string) $answer->getBody(), true, 64);
        $failure = is_array($read) ? $read : [];
        $status = $answer->getStatusCode();
        $class = FlorinException::classFor($status);

        return new $class(
            (string) ($failure['message'] ?? "Florin answered $status"),
            $status,
            isset($failure['code']) ? (string) $failure['code'] : null,
            $answer->getHeaderLine('x-request-id') ?: null,
            is_array($failure['errors'] ?? null) ? $failure['errors'] : [],
            is_array($failure['existing'] ?? null) ? $failure['existing'] : null,
        );
    }

    /**
     * @param array<string, string|int> $filters
     * @return Generator<int, array<string, mixed>>
     */
    private function items(string $path, array $filters): Generator
    {
        do {
            $answer = $this->call('GET', $path . ($filters === [] ? '' : '?' . http_build_query($filters)));
            foreach ($answer['data'] as $item) {
                yield $item;
            }
            $filters['cursor'] = $answer['meta']['next_cursor'] ?? null;
        } while ($filters['cursor'] !== null);
    }

    /**
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    private static function withAmount(array $fields, mixed $currency): array
    {
        if (is_float($fields['amount'] ?? null)) {
            throw new InvalidArgumentException("amount must be text such as '10.50'; use amount_minor for whole minor units");
        }
        if (!isset($fields['amount_minor'])) {
            return $fields;
        }
        if (!is_string($currency) || isset($fields['amount'])) {
            throw new InvalidArgumentException('amount_minor needs the currency, and no amount beside it');
        }
        $minor = $fields['amount_minor'];
        unset($fields['amount_minor']);

        return [...$fields, 'amount' => Money::toDecimal($minor, $currency)];
    }
}
