<?php

declare(strict_types=1);

namespace FlorinWoo;

/** What the owner has set. */
final class Settings
{
    private const OPTION = 'woocommerce_florin_settings';
    /** Endpoints and their secrets, by mode: Florin's answers, not the owner's input. */
    private const ENDPOINTS = 'florin_payments_endpoints';
    private const PREFIX = 'florin_payments_prefix';

    public static function get(string $name): string
    {
        $settings = get_option(self::OPTION, []);

        return is_array($settings) ? trim((string) ($settings[$name] ?? '')) : '';
    }

    public static function mode(): string
    {
        return self::get('testmode') === 'no' ? 'live' : 'test';
    }

    public static function baseUrl(): string
    {
        return rtrim(self::get('base_url'), '/');
    }

    public static function key(?string $mode = null): string
    {
        return self::get(($mode ?? self::mode()) . '_key');
    }

    /** @return array{id: string, secret: string, url: string, florin: string, merchant: string}|null */
    public static function endpoint(string $mode): ?array
    {
        $all = get_option(self::ENDPOINTS, []);

        return is_array($all[$mode] ?? null) ? $all[$mode] : null;
    }

    /** False after the shop or Florin has moved: the endpoint is then somewhere else. */
    public static function isConnected(string $mode): bool
    {
        $endpoint = self::endpoint($mode);

        return $endpoint !== null && $endpoint['url'] === self::callbackUrl() && ($endpoint['florin'] ?? '') === self::baseUrl();
    }

    /** @param array{id: string, secret: string, url: string, florin: string, merchant: string} $endpoint */
    public static function keepEndpoint(string $mode, array $endpoint): void
    {
        $all = get_option(self::ENDPOINTS, []);
        update_option(self::ENDPOINTS, [$mode => $endpoint] + (is_array($all) ? $all : []), false);
    }

    /**
     * Starts every tx_ref of this shop, so that two shops may share one account. Drawn once: it must not change when the site moves.
     */
    public static function prefix(): string
    {
        $prefix = get_option(self::PREFIX, '');
        if (!is_string($prefix) || $prefix === '') {
            add_option(self::PREFIX, 'woo' . strtolower(wp_generate_password(6, false)), '', false);
            // Another request may have been first.
            wp_cache_delete(self::PREFIX, 'options');
            $prefix = (string) get_option(self::PREFIX);
        }

        return $prefix;
    }

    public static function callbackUrl(): string
    {
        return add_query_arg('wc-api', 'florin', home_url('/'));
    }

    public static function page(): string
    {
        return admin_url('admin.php?page=wc-settings&tab=checkout&section=florin');
    }

    public static function log(string $message): void
    {
        wc_get_logger()->info(Input::withoutSecrets($message), ['source' => 'florin-payments']);
    }
}
