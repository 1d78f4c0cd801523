<?php

declare(strict_types=1);

// Run by try-shop.ts inside of a real WordPress: php shop.php FOLDER COMMAND [JSON]. Prints JSON.

use FlorinWoo\Connection;

[, $folder, $command] = $argv;
$given = json_decode($argv[3] ?? '{}', true, 16, JSON_THROW_ON_ERROR);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
$_SERVER['REQUEST_URI'] = '/';
require "$folder/wordpress/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/plugin.php';

$product = static function (): WC_Product {
    $found = wc_get_products(['limit' => 1, 'orderby' => 'id', 'order' => 'ASC']);

    return $found[0];
};

$commands = [
    'activate' => static function (): mixed {
        $failed = activate_plugin('florin-payments/florin-payments.php');

        return is_wp_error($failed) ? $failed->get_error_message() : null;
    },
    'set-up' => static function (array $given) use ($product): mixed {
        update_option('woocommerce_florin_settings', $given + ['enabled' => 'yes', 'title' => 'Card or bank', 'description' => 'You pay on a secure page.', 'testmode' => 'yes']);
        $chair = $product();
        $chair->set_manage_stock(true);
        $chair->set_stock_quantity(1_000);
        $chair->save();

        return ['test' => Connection::test('test'), 'connect' => Connection::connect('test'), 'product' => $chair->get_id(), 'url' => home_url()];
    },
    // Orders in tables of their own, or as posts. Written past WooCommerce, which would first copy the orders of earlier runs.
    'storage' => static function (array $given): mixed {
        global $wpdb;
        wc_get_container()->get(Automattic\WooCommerce\Internal\DataStores\Orders\DataSynchronizer::class)->create_database_tables();
        $name = 'woocommerce_custom_orders_table_enabled';
        add_option($name, 'no');
        $wpdb->update($wpdb->options, ['option_value' => $given['kind'] === 'tables' ? 'yes' : 'no'], ['option_name' => $name]);
        wp_cache_flush();

        return get_option($name);
    },
    // One checkout page, made of blocks or the classic one.
    'checkout' => static function (array $given): mixed {
        $page = (int) get_option('woocommerce_checkout_page_id');
        $kept = get_post_meta($page, '_blocks', true) ?: get_post($page)->post_content;
        update_post_meta($page, '_blocks', wp_slash($kept));
        wp_update_post(['ID' => $page, 'post_content' => wp_slash($given['kind'] === 'classic' ? '[woocommerce_checkout]' : $kept)]);

        return get_permalink($page);
    },
    'order' => static function (array $given) use ($product): mixed {
        $orders = wc_get_orders(['limit' => 1, 'orderby' => 'id', 'order' => 'DESC'] + (isset($given['id']) ? ['post__in' => [$given['id']], 'id' => $given['id']] : []));
        $order = isset($given['id']) ? wc_get_order($given['id']) : ($orders[0] ?? null);
        if (!$order) {
            return null;
        }

        return [
            'id' => $order->get_id(),
            'status' => $order->get_status(),
            'total' => $order->get_total(),
            'refunded' => (string) $order->get_total_refunded(),
            'refunds' => count($order->get_refunds()),
            'tx_ref' => FlorinWoo\TxRef::of(FlorinWoo\Settings::prefix(), $order->get_id(), (int) $order->get_meta('_florin_attempt')),
            'transaction' => $order->get_transaction_id(),
            'notes' => array_map(static fn ($note): string => $note->content, wc_get_order_notes(['order_id' => $order->get_id()])),
            'stock' => $product()->get_stock_quantity(),
            'storage' => Automattic\WooCommerce\Utilities\OrderUtil::custom_orders_table_usage_is_enabled() ? 'tables' : 'posts',
            'edit' => $order->get_edit_order_url(),
        ];
    },
    'stock' => static fn (): mixed => $product()->get_stock_quantity(),
];

echo "\n", json_encode($commands[$command]($given)), "\n";
