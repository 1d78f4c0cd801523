<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\ConnectionException;
use Florin\Exception\FlorinException;
use Florin\Result\Payment;

/** Florin's API by WordPress' own HTTP functions, which shops have instead of PSR-18. */
final class Http
{
    private const TIMEOUT_S = 20;
    private const TRIES = 3;

    public function __construct(private readonly string $mode)
    {
    }

    public function payment(string $txRef): Payment
    {
        return Payment::from($this->call('GET', '/api/transaction/' . rawurlencode($txRef)));
    }

    /**
     * The `data` of the answer.
     *
     * @param array<string, mixed>|null $body
     * @param array<string, string> $headers
     * @param bool $mayRepeat whether sending it twice does nothing twice
     * @return array<string, mixed>
     */
    public function call(string $method, string $path, ?array $body = null, array $headers = [], bool $mayRepeat = false): array
    {
        $tries = $method === 'GET' || $mayRepeat ? self::TRIES : 1;
        for ($tried = 1; ; ++$tried) {
            $answer = wp_remote_request(Settings::baseUrl() . $path, [
                'method' => $method,
                'timeout' => self::TIMEOUT_S,
                // A redirect would take the key along.
                'redirection' => 0,
                'headers' => $headers + [
                    'Authorization' => 'Bearer ' . Settings::key($this->mode),
                    'Accept' => 'application/json',
                    'Content-Type' => 'application/json',
                ],
                'body' => $body === null ? null : wp_json_encode((object) $body),
            ]);
            $status = (int) wp_remote_retrieve_response_code($answer);
            if ($status >= 200 && $status < 300) {
                $read = json_decode(wp_remote_retrieve_body($answer), true, 64);
                if (!is_array($read['data'] ?? null)) {
                    throw new ConnectionException("What answers at the address of Florin isn't Florin");
                }

                return $read['data'];
            }
            if ($tried >= $tries || ($status !== 429 && $status !== 0 && $status < 500)) {
                throw is_wp_error($answer)
                    ? new ConnectionException('No answer from Florin: ' . $answer->get_error_message())
                    : FlorinException::from(
                        $status,
                        wp_remote_retrieve_body($answer),
                        (string) wp_remote_retrieve_header($answer, 'x-request-id'),
                    );
            }
            // A customer is waiting: short pauses.
            usleep(250_000 * $tried);
        }
    }
}
