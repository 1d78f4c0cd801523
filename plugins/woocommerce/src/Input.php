<?php

declare(strict_types=1);

namespace FlorinWoo;

use InvalidArgumentException;

/** What owners type into the settings: corrected where the meaning is clear, refused with the reason where it isn't. */
final class Input
{
    private const RANDOM_CHARACTERS = 38;
    private const SECRET_BYTES = 32;

    /** Owners paste what their browser shows: https://pay.example.com/dashboard/00000001/test/keys?… */
    public static function address(string $typed): string
    {
        $typed = trim($typed);
        if ($typed === '') {
            return '';
        }
        $parts = parse_url(str_contains($typed, '://') ? $typed : "https://$typed");
        $scheme = strtolower((string) ($parts['scheme'] ?? ''));
        $host = (string) ($parts['host'] ?? '');
        $isHost = preg_match('/^(\[[0-9a-f:.]+\]|[\w.-]*\w)$/iD', $host) === 1 && self::withoutSecrets($host) === $host;
        if (!$isHost || !in_array($scheme, ['http', 'https'], true) || isset($parts['user'])) {
            /* translators: %s: what the owner typed */
            throw new InvalidArgumentException(sprintf(__('Address of Florin: “%s” is not an address. Enter one such as https://pay.example.com', 'florin-payments'), self::withoutSecrets($typed)));
        }
        $path = preg_replace('#/(dashboard|docs|api|payment|link)(/.*)?$#D', '', (string) ($parts['path'] ?? ''));

        return "$scheme://$host" . (isset($parts['port']) ? ":{$parts['port']}" : '') . rtrim((string) $path, '/');
    }

    public static function key(string $typed, string $mode): string
    {
        $typed = trim($typed);
        $starts = "sk_{$mode}_";
        $other = $mode === 'test' ? 'live' : 'test';
        $isWhole = preg_match("/^{$starts}[0-9A-Za-z]{" . self::RANDOM_CHARACTERS . '}$/D', $typed) === 1;
        if ($typed === '' || $isWhole) {
            return $typed;
        }
        $name = $mode === 'test' ? __('Test key', 'florin-payments') : __('Live key', 'florin-payments');
        throw new InvalidArgumentException("$name: " . match (true) {
            /* translators: %s: test or live */
            str_starts_with($typed, "sk_{$other}_") => sprintf(__('this key is for %s mode. Enter it in the other field.', 'florin-payments'), $other),
            str_starts_with($typed, $starts) => __('this key is not complete. Copy all of it.', 'florin-payments'),
            str_starts_with($typed, 'whsec_') => __('this is a webhook secret. Enter a secret key from Keys in Florin.', 'florin-payments'),
            /* translators: %s: sk_test_… or sk_live_… */
            default => sprintf(__('a secret key starts with %s', 'florin-payments'), "{$starts}…"),
        });
    }

    public static function webhookSecret(string $typed): string
    {
        $typed = trim($typed);
        $bytes = str_starts_with($typed, 'whsec_') ? base64_decode(substr($typed, 6), true) : false;
        if ($typed !== '' && ($bytes === false || strlen($bytes) !== self::SECRET_BYTES)) {
            throw new InvalidArgumentException(__('Webhook secret: enter all of it, from whsec_ on.', 'florin-payments'));
        }

        return $typed;
    }

    /** For logs, which owners mail to strangers who help them. */
    public static function withoutSecrets(string $text): string
    {
        return (string) preg_replace('/\b(sk_test|sk_live|fk_test|fk_live|ak|whsec)_[\w+\/=-]+/', '$1_…', $text);
    }
}
