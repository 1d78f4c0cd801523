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

function wp_strip_all_tags(string $text): string
{
    return strip_tags($text);
}

function apply_filters(string $name, mixed $value): mixed
{
    return $value;
}

final class WC_Order_Refund
{
}

function wc_create_refund(array $made): WC_Order_Refund
{
    return new WC_Order_Refund();
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

    public function get_currency(): string
    {
        return 'GBP';
    }

    public function get_total(): string
    {
        return '12.34';
    }

    public function get_payment_method(): string
    {
        return 'florin';
    }

    public function is_paid(): bool
    {
        return false;
    }

    public function needs_payment(): bool
    {
        return true;
    }

    public function has_status(string|array $status): bool
    {
        return in_array('pending', (array) $status, true);
    }

    public function add_order_note(string $note): void
    {
    }

    public function save(): int
    {
        return $this->id;
    }
}
