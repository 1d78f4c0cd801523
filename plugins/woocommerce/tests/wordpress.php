<?php

declare(strict_types=1);

use FlorinWoo\Tests\StandInFlorin;

// As much of WordPress and WooCommerce as the tests need. `npm run shops` runs the real ones.

function __(string $text): string
{
    return $text;
}

function get_option(string $name, mixed $default = false): mixed
{
    return [
        'woocommerce_florin_settings' => ['base_url' => 'https://pay.example.com', 'test_key' => 'sk_test_', 'testmode' => 'yes'],
        'florin_payments_prefix' => 'woo',
    ][$name] ?? $default;
}

final class WP_Error
{
    public function __construct(private readonly string $code, private readonly string $message)
    {
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

function is_wp_error(mixed $what): bool
{
    return $what instanceof WP_Error;
}

function wp_remote_request(string $url, array $request): array|WP_Error
{
    return StandInFlorin::$current?->answer((string) parse_url($url, PHP_URL_PATH), $request) ?? new WP_Error('http_request_failed', 'No Florin');
}

function wp_remote_retrieve_response_code(array|WP_Error $answer): int|string
{
    return is_array($answer) ? $answer[0] : '';
}

function wp_remote_retrieve_body(array|WP_Error $answer): string
{
    return is_array($answer) ? (string) json_encode($answer[1]) : '';
}

function wp_remote_retrieve_header(array|WP_Error $answer, string $name): string
{
    return '';
}

function wp_json_encode(mixed $what): string
{
    return (string) json_encode($what);
}

class WC_Order
{
    /** @var array<string, mixed> */
    private array $meta = [];

    public function __construct(private readonly int $id)
    {
    }

    public function get_id(): int
    {
        return $this->id;
    }

    public function get_order_key(): string
    {
        return "wc_order_$this->id";
    }

    public function get_meta(string $name): mixed
    {
        return $this->meta[$name] ?? '';
    }

    public function update_meta_data(string $name, mixed $value): void
    {
        $this->meta[$name] = $value;
    }

    public function save(): int
    {
        return $this->id;
    }
}
