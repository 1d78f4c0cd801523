<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\ConnectionException;
use Florin\Exception\FlorinException;
use Florin\Result\Payment;
use WP_Error;

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
     * @param array<string, mixed>|null $content
     * @param array<string, string> $headers
     * @param bool $mayRepeat whether sending it twice does nothing twice
     * @return array<string, mixed>
     */
    public function call(string $method, string $path, ?array $content = null, array $headers = [], bool $mayRepeat = false): array
    {
        if (Settings::baseUrl() === '' || Settings::key($this->mode) === '') {
            /* translators: %s: test or live */
            throw new ConnectionException(sprintf(__('Enter the address of Florin and a %s key, and save.', 'florin-payments'), $this->mode));
        }
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
                'body' => $content === null ? null : wp_json_encode((object) $content),
            ]);
            $status = (int) wp_remote_retrieve_response_code($answer);
            $body = json_decode(wp_remote_retrieve_body($answer), true, 64);
            if ($status >= 200 && $status < 300 && is_array($body['data'] ?? null)) {
                return $body['data'];
            }
            if ($tried >= $tries || ($status !== 429 && $status !== 0 && $status < 500)) {
                throw self::failure($answer, $status, is_array($body) && isset($body['status']));
            }
            // A customer is waiting: short pauses.
            usleep(250_000 * $tried);
        }
    }

    /** @param array<string, mixed>|WP_Error $answer */
    private static function failure(array|WP_Error $answer, int $status, bool $isFlorin): FlorinException
    {
        if (is_wp_error($answer)) {
            /* translators: %s: reason, such as "Could not resolve host" */
            return new ConnectionException(sprintf(__('No answer from Florin: %s', 'florin-payments'), $answer->get_error_message()));
        }
        $elsewhere = (string) wp_remote_retrieve_header($answer, 'location');
        if ($status >= 300 && $status < 400 && $elsewhere !== '') {
            /* translators: %s: address */
            return new ConnectionException(sprintf(__('The address of Florin redirects to %s. Enter that address instead.', 'florin-payments'), $elsewhere));
        }
        if (!$isFlorin && $status < 500) {
            /* translators: %d: HTTP status such as 404 */
            return new ConnectionException(sprintf(__('Florin is not at this address: what answers there said %d.', 'florin-payments'), $status));
        }

        return FlorinException::from($status, wp_remote_retrieve_body($answer), (string) wp_remote_retrieve_header($answer, 'x-request-id'));
    }
}
