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
        add_action('woocommerce_order_status_changed', static fn ($id, $from, $to, $order) => Cancelling::whenChanged($order), 10, 4);
        add_action('woocommerce_before_trash_order', static fn ($id, $order) => Cancelling::whenRemoved($order), 10, 2);
        add_action('woocommerce_before_delete_order', static fn ($id, $order) => Cancelling::whenDeleted($order), 10, 2);
        // The list of orders that are kept as posts removes them without WooCommerce.
        add_action('wp_trash_post', static fn ($id) => Cancelling::whenRemoved(wc_get_order($id)));
        add_action('before_delete_post', static fn ($id) => Cancelling::whenDeleted(wc_get_order($id)));
        add_action('florin_payments_close', static fn ($txRef, $mode, $tried) => Cancelling::again((string) $txRef, (string) $mode, (int) $tried), 10, 3);
        add_filter('woocommerce_email_classes', static fn (array $mails): array => $mails + ['FlorinUnexpected' => new Unexpected\Mail()]);
        add_action('admin_notices', static fn () => Unexpected\Notice::show());
        add_action('admin_post_florin_unexpected', static fn () => Unexpected\Notice::answer());
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
