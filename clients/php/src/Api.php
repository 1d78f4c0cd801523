<?php

declare(strict_types=1);

namespace Florin;

use Closure;
use Florin\Exception\ConnectionException;
use Florin\Exception\FlorinException;
use InvalidArgumentException;
use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;
use SensitiveParameter;

/**
 * One call: path, query and body, retries with growing pauses, and exceptions by kind.
 *
 * @internal
 */
final class Api
{
    private const FIRST_PAUSE_MS = 500;
    private const PAUSE_MAX_MS = 5_000;
    private const RETRY_AFTER_MAX_S = 60;

    private readonly Closure $wait;

    public function __construct(
        #[SensitiveParameter] private readonly string $key,
        private readonly string $baseUrl,
        private readonly ClientInterface $http,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
        private readonly int $maxRetries,
        ?Closure $wait,
    ) {
        if ($key === '') {
            throw new InvalidArgumentException('Give a key, such as sk_test_…');
        }
        $this->wait = $wait ?? static function (int $milliseconds): void {
            usleep($milliseconds * 1_000);
        };
    }

    /**
     * What var_dump and print_r show: not the key.
     *
     * @return array<string, string>
     */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /**
     * The `data` of the answer.
     *
     * @param array<string, string> $path what stands in the braces of the path
     * @param array<string, mixed>|null $body
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    public function data(
        string $method,
        string $template,
        array $path = [],
        ?array $body = null,
        array $headers = [],
        bool $mayRepeat = false,
    ): array {
        $request = $this->request($method, self::fill($template, $path), $headers);
        if ($body !== null) {
            // An empty array would be a list.
            $json = json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
            $request = $request
                ->withHeader('Content-Type', 'application/json')
                ->withBody($this->streams->createStream($json));
        }

        return $this->read($this->send($request, $mayRepeat || $method === 'GET'))['data'];
    }

    /**
     * @template T
     * @param array<string, string> $path
     * @param array<string, string|int|bool> $filters
     * @param Closure(array<string, mixed>): T $make
     * @return Listing<T>
     */
    public function list(string $method, string $template, array $path, array $filters, Closure $make): Listing
    {
        $address = self::fill($template, $path);

        return new Listing(function (array $more) use ($method, $address, $filters, $make): Page {
            $answer = $this->read($this->send($this->request($method, $address . self::query($more + $filters)), true));

            return Page::from($answer, $make);
        });
    }

    /** @param array<string, string|int|bool> $filters */
    public function text(string $method, string $template, array $filters): string
    {
        return (string) $this->send($this->request($method, $template . self::query($filters)), true)->getBody();
    }

    /** @param array<string, string> $headers */
    private function request(string $method, string $address, array $headers = []): RequestInterface
    {
        $request = $this->requests
            ->createRequest($method, rtrim($this->baseUrl, '/') . $address)
            ->withHeader('Authorization', "Bearer {$this->key}")
            ->withHeader('Accept', 'application/json');
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }

        return $request;
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
                    $host = $request->getUri()->withPath('')->withQuery('');
                    // Not as previous: what an HTTP client throws holds the request, and so the key.
                    throw new ConnectionException("No answer from $host: {$error->getMessage()}");
                }
            }
            $status = $answer?->getStatusCode();
            if ($answer !== null && $status >= 200 && $status < 300) {
                return $answer;
            }
            // A call that was refused with 429 did nothing; after a 5xx only a repeatable one may be sent again.
            if ($answer !== null && ($isLast || !($status === 429 || ($status >= 500 && $mayRepeat)))) {
                throw FlorinException::from(
                    $answer->getStatusCode(),
                    (string) $answer->getBody(),
                    $answer->getHeaderLine('x-request-id'),
                    self::retryAfter($answer),
                );
            }
            ($this->wait)(self::pauseMs($answer, $tried));
        }
    }

    /** @return array<string, mixed> */
    private function read(ResponseInterface $answer): array
    {
        $read = json_decode((string) $answer->getBody(), true, 64);
        if (!is_array($read) || !is_array($read['data'] ?? null)) {
            throw new ConnectionException("What answers at {$this->baseUrl} isn't Florin");
        }

        return $read;
    }

    private static function pauseMs(?ResponseInterface $answer, int $tried): int
    {
        $seconds = $answer === null ? null : self::retryAfter($answer);
        if ($seconds !== null) {
            return 1_000 * min(self::RETRY_AFTER_MAX_S, $seconds);
        }
        $pause = min(self::PAUSE_MAX_MS, self::FIRST_PAUSE_MS * 2 ** $tried);

        return intdiv($pause * random_int(75, 125), 100);
    }

    private static function retryAfter(ResponseInterface $answer): ?int
    {
        $seconds = $answer->getHeaderLine('Retry-After');

        return ctype_digit($seconds) ? (int) $seconds : null;
    }

    /** @param array<string, string> $path */
    private static function fill(string $template, array $path): string
    {
        foreach ($path as $name => $value) {
            if ($value === '') {
                throw new InvalidArgumentException("$name must not be empty");
            }
            $template = str_replace("{{$name}}", rawurlencode($value), $template);
        }

        return $template;
    }

    /** @param array<string, string|int|bool> $filters */
    private static function query(array $filters): string
    {
        $plain = array_map(static fn (mixed $value): mixed => is_bool($value) ? ($value ? 'true' : 'false') : $value, $filters);

        return $plain === [] ? '' : '?' . http_build_query($plain, '', '&', PHP_QUERY_RFC3986);
    }
}
