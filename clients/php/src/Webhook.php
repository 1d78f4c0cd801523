<?php

declare(strict_types=1);

namespace Florin;

use Florin\Exception\SignatureException;

/** Signed notifications. Free of HTTP, so that plugins of any framework can use it. */
final class Webhook
{
    /**
     * Returns the event, or throws a SignatureException.
     *
     * @param string $body the request body exactly as it arrived: file_get_contents('php://input')
     * @param array<string, string|list<string>> $headers as getallheaders() or a PSR-7 message gives them
     */
    public static function verify(
        string $body,
        array $headers,
        string $secret,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): Event {
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $expected = self::standardSignature("$id.$timestamp.$body", $secret);
        $matches = array_filter(
            // While a secret is rolled there are two.
            explode(' ', self::header($headers, 'webhook-signature')),
            static fn (string $given): bool => hash_equals($expected, $given),
        );
        if ($matches === []) {
            throw new SignatureException('No signature matches the body and this secret');
        }
        $age = ($now ?? time()) - (int) $timestamp;
        if (!ctype_digit($timestamp) || abs($age) > $toleranceSeconds) {
            throw new SignatureException("The call is $age s old, more than the $toleranceSeconds s allowed");
        }

        return self::read($body, $id);
    }

    /** By the plain Signature header. It has no time: an old call that someone recorded passes too. */
    public static function verifyPlain(string $body, string $signature, string $secret): Event
    {
        if (!hash_equals(hash_hmac('sha256', $body, $secret), $signature)) {
            throw new SignatureException('The Signature header does not match the body and this secret');
        }

        return self::read($body, null);
    }

    /**
     * A signed call as Florin would send it, to test your receiver with.
     *
     * @param array<string, mixed> $event
     * @return array{body: string, headers: array<string, string>}
     */
    public static function sign(array $event, string $secret, ?string $id = null, ?int $now = null): array
    {
        $body = json_encode($event, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        $id ??= 'evt_' . bin2hex(random_bytes(12));
        $timestamp = (string) ($now ?? time());

        return [
            'body' => $body,
            'headers' => [
                'content-type' => 'application/json; charset=utf-8',
                'webhook-id' => $id,
                'webhook-timestamp' => $timestamp,
                'webhook-signature' => self::standardSignature("$id.$timestamp.$body", $secret),
                'signature' => hash_hmac('sha256', $body, $secret),
            ],
        ];
    }

    private static function read(string $body, ?string $id): Event
    {
        $data = json_decode($body, true, 64);
        if (!is_array($data)) {
            throw new SignatureException('The body is signed and is no JSON object');
        }

        return new Event($id, (string) ($data['event'] ?? ''), $data);
    }

    private static function standardSignature(string $signed, string $secret): string
    {
        $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : false;
        if ($key === false || $key === '') {
            throw new SignatureException('A webhook secret starts with whsec_ and goes on in base64');
        }

        return 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $name): string
    {
        foreach ($headers as $key => $value) {
            if (strtolower((string) $key) === $name) {
                return is_array($value) ? implode(' ', $value) : $value;
            }
        }
        throw new SignatureException("The $name header is missing");
    }
}
