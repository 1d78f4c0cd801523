<?php

declare(strict_types=1);

namespace FlorinWoo;

/** Connects the plugin to WordPress: one line per hook. */
final class Plugin
{
    public static function start(): void
    {
        add_action('init', static fn () => load_plugin_textdomain('florin-payments', false, dirname(plugin_basename(FLORIN_PAYMENTS_FILE)) . '/languages'));
        add_filter('woocommerce_payment_gateways', static fn (array $gateways): array => [...$gateways, Gateway::class]);
        add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry): void {
            $registry->register(new Blocks());
        });
        // /?wc-api=florin is called by Florin, /?wc-api=florin_return by the customer's browser.
        add_action('woocommerce_api_florin', static fn () => Callback::receive());
        add_action('woocommerce_api_florin_return', static fn () => Returning::receive());
        add_action('woocommerce_order_status_cancelled', static fn ($id) => Cancelling::whenCancelled((int) $id));
        add_action('woocommerce_payment_complete', static fn ($id) => Cancelling::whenPaid((int) $id));
        add_action('woocommerce_payment_token_deleted', static fn ($id, $token) => Tokens::whenDeleted($token), 10, 2);
        add_filter('woocommerce_get_customer_payment_tokens', static fn (array $tokens): array => Tokens::ofThisMode($tokens));
        add_action('woocommerce_scheduled_subscription_payment_' . Gateway::ID, static fn ($amount, $order) => Renewing::charge($order), 10, 2);
        add_action('wp_ajax_florin_connection', static fn () => Connection::answer());
        add_filter(
            'plugin_action_links_' . plugin_basename(FLORIN_PAYMENTS_FILE),
            static fn (array $links): array => [
                '<a href="' . esc_url(Settings::page()) . '">' . esc_html__('Settings', 'florin-payments') . '</a>',
                ...$links,
            ],
        );
    }
}
