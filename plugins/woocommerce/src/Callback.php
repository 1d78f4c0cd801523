<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Event;
use Florin\Exception\NotFoundException;
use Florin\Exception\SignatureException;
use Florin\Webhook;
use FlorinWoo\Unexpected\DeletedOrders;
use Throwable;
use WC_Order;

/** Florin calls here when something happened to a payment. The call is verified, and then only tells which order to look at. */
final class Callback
{
    public static function receive(): never
    {
        [$status, $text] = self::answer((string) file_get_contents('php://input'), self::headers());
        status_header($status);
        nocache_headers();
        header('Content-Type: text/plain; charset=utf-8');
        echo $text;
        exit;
    }

    /**
     * @param array<string, string> $headers
     * @return array{int, string}
     */
    private static function answer(string $body, array $headers): array
    {
        try {
            $event = self::verified($body, $headers);
        } catch (SignatureException $error) {
            Settings::log("A callback was refused: {$error->getMessage()}");

            return [401, 'The signature does not match'];
        }
        if ($event->name === 'method.ended') {
            Tokens::forget($event->savedMethod()->id);

            return [200, 'ok'];
        }
        $txRef = (string) ($event->data['tx_ref'] ?? '');
        $orderId = TxRef::orderId(Settings::prefix(), $txRef);
        if ($orderId === null) {
            return [200, 'Not an order of this shop'];
        }
        try {
            if (wc_get_order($orderId) instanceof WC_Order) {
                Sync::order($orderId, $txRef);
            } else {
                DeletedOrders::report($txRef);
            }

            return [200, 'ok'];
        } catch (NotFoundException) {
            // A sample, or another account's: nothing to look at, and nothing to send again.
            return [200, 'Not a payment of this account'];
        } catch (Throwable $error) {
            // Florin sends it again.
            Settings::log("A callback for order $orderId waits: {$error->getMessage()}");

            return [503, 'Try again later'];
        }
    }

    /** @param array<string, string> $headers */
    private static function verified(string $body, array $headers): Event
    {
        $secrets = array_filter([
            Settings::endpoint('test')['secret'] ?? '',
            Settings::endpoint('live')['secret'] ?? '',
            Settings::get('test_webhook_secret'),
            Settings::get('live_webhook_secret'),
        ]);
        foreach ($secrets as $secret) {
            try {
                return Webhook::verify($body, $headers, $secret);
            } catch (SignatureException $error) {
                $last = $error;
            }
        }
        throw $last ?? new SignatureException('The shop has no webhook secret yet: connect it in the settings');
    }

    /** @return array<string, string> */
    private static function headers(): array
    {
        $headers = [];
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            $value = $_SERVER['HTTP_' . strtoupper(str_replace('-', '_', $name))] ?? null;
            if (is_string($value)) {
                $headers[$name] = wp_unslash($value);
            }
        }

        return $headers;
    }
}
