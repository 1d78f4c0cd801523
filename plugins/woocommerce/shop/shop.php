<?php

declare(strict_types=1);

// Run by try-shop.ts inside of a real WordPress: php shop.php FOLDER COMMAND [JSON]. Prints JSON.

use FlorinWoo\Connection;

[, $folder, $command] = $argv;
$given = json_decode($argv[3] ?? '{}', true, 16, JSON_THROW_ON_ERROR);
$_SERVER['HTTP_HOST'] = $given['host'] ?? '127.0.0.1';
// As through the proxy of the live story.
if (isset($given['host'])) {
    $_SERVER['HTTP_X_FORWARDED_PROTO'] = 'https';
}
$_SERVER['REQUEST_URI'] = '/';
require "$folder/wordpress/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/plugin.php';

$product = static function (): WC_Product {
    $found = wc_get_products(['limit' => 1, 'orderby' => 'id', 'order' => 'ASC']);

    return $found[0];
};

/** @param array{at?: string, fault?: string} $given */
$break = static function (array $given): void {
    $isSending = false;
    add_filter('pre_http_request', static function ($answer, array $args, string $url) use ($given, &$isSending) {
        if ($isSending || !isset($given['fault']) || !str_contains($url, $given['at'])) {
            return $answer;
        }
        if ($given['fault'] === 'lost') {
            $isSending = true;
            wp_remote_request($url, $args);
            $isSending = false;
        }

        return new WP_Error('http_request_failed', 'The connection was cut');
    }, 10, 3);
};

$commands = [
    'home' => static fn (): mixed => home_url(),
    // As if the plugin had never been here.
    'forget' => static function (): mixed {
        deactivate_plugins('florin-payments/florin-payments.php');
        wp_delete_file(WPMU_PLUGIN_DIR . '/keep-mails.php');
        foreach (['woocommerce_florin_settings', 'florin_payments_endpoints', 'florin_payments_prefix'] as $name) {
            delete_option($name);
        }

        return null;
    },
    'set-up' => static function (array $given) use ($product): mixed {
        update_option('woocommerce_florin_settings', $given + ['enabled' => 'yes', 'title' => 'Card or bank', 'description' => 'You pay on a secure page.', 'testmode' => 'yes']);
        update_option('woocommerce_calc_taxes', 'no');
        update_option('woocommerce_enable_coupons', 'yes');
        $chair = $product();
        $chair->set_manage_stock(true);
        $chair->set_stock_quantity(1_000);
        $chair->save();

        return ['connect' => Connection::connect('test'), 'test' => Connection::test('test'), 'product' => $chair->get_id(), 'url' => home_url()];
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
    'go-live' => static function (array $given): mixed {
        update_option('woocommerce_florin_settings', $given['settings'] + get_option('woocommerce_florin_settings', []));

        return ['connect' => Connection::connect('live'), 'test' => Connection::test('live')];
    },
    // 20 % on top of the price, and 10 % off with the code TENTH: lines that have no price of one.
    'taxes' => static function (array $given): mixed {
        update_option('woocommerce_calc_taxes', $given['on'] ? 'yes' : 'no');
        update_option('woocommerce_prices_include_tax', 'no');
        update_option('woocommerce_tax_based_on', 'base');
        if ($given['on'] && WC_Tax::find_rates(['country' => 'GB']) === []) {
            WC_Tax::_insert_tax_rate(['tax_rate_country' => 'GB', 'tax_rate' => '20.0000', 'tax_rate_name' => 'VAT', 'tax_rate_priority' => 1, 'tax_rate_compound' => 0, 'tax_rate_shipping' => 1, 'tax_rate_order' => 1, 'tax_rate_class' => '']);
        }
        if (wc_get_coupon_id_by_code('TENTH') === 0) {
            $coupon = new WC_Coupon();
            $coupon->set_code('TENTH');
            $coupon->set_discount_type('percent');
            $coupon->set_amount(10);
            $coupon->save();
        }

        return null;
    },
    // Whether customers may save methods.
    'saving' => static function (array $given): mixed {
        update_option('woocommerce_florin_settings', ['saving' => $given['on'] ? 'yes' : 'no'] + get_option('woocommerce_florin_settings', []));

        return null;
    },
    // Methods of earlier runs belong to a Florin that is gone.
    'forget-tokens' => static function (): mixed {
        global $wpdb;
        $wpdb->query("delete from {$wpdb->prefix}woocommerce_payment_tokens");

        return null;
    },
    'tokens' => static fn (): mixed => array_values(array_map(
        static fn ($token): array => ['id' => $token->get_token(), 'type' => $token->get_type(), 'name' => html_entity_decode(wp_strip_all_tags($token->get_display_name()))],
        WC_Payment_Tokens::get_customer_tokens(1, FlorinWoo\Gateway::ID),
    )),
    // Stands in for WooCommerce Subscriptions, which can't be installed here: its hook and its functions. With `order`
    // that renewal is tried again. `fault`: calls that contain `at` get no answer, before or after they reach Florin.
    'renew' => static function (array $given) use ($break): mixed {
        // phpcs:ignore -- stand-ins
        function wcs_order_contains_subscription($order, $types): bool
        {
            return true;
        }
        function wcs_get_subscriptions_for_order($order, $args): array
        {
            return [];
        }
        $break($given);
        if (isset($given['order'])) {
            $renewal = wc_get_order($given['order']);
            if ($renewal->is_paid()) {
                return $renewal->get_id();
            }
            $renewal->update_status('pending');
            do_action('woocommerce_scheduled_subscription_payment_florin', $renewal->get_total(), $renewal);

            return $renewal->get_id();
        }
        $renewal = wc_create_order(['customer_id' => 1]);
        $renewal->add_product(wc_get_product($given['product']), 1);
        $renewal->set_billing_email('ada@example.com');
        $renewal->set_payment_method(FlorinWoo\Gateway::ID);
        $renewal->update_meta_data('_florin_method', $given['method']);
        $renewal->calculate_totals();
        $renewal->save();
        do_action('woocommerce_scheduled_subscription_payment_florin', $renewal->get_total(), $renewal);

        return $renewal->get_id();
    },
    // An order as its customer leaves it for the page of Florin, without a browser.
    'place' => static function (array $given): mixed {
        $order = wc_create_order();
        $order->add_product(wc_get_product($given['product']), 1);
        $order->set_billing_email('ada@example.com');
        $order->set_billing_first_name('Ada');
        $order->set_payment_method(FlorinWoo\Gateway::ID);
        $order->calculate_totals();
        $order->save();

        return ['id' => $order->get_id(), 'url' => WC()->payment_gateways()->payment_gateways()['florin']->process_payment($order->get_id())['redirect']];
    },
    // The owner changes an order. `packed` is a status of the shop's own.
    'change' => static function (array $given) use ($break): mixed {
        $break($given);
        register_post_status('wc-packed', ['label' => 'Packed', 'exclude_from_search' => false]);
        add_filter('wc_order_statuses', static fn (array $all): array => $all + ['wc-packed' => 'Packed']);
        $order = wc_get_order($given['id']);
        match ($given['to']) {
            'trash' => $order->delete(false),
            'deleted' => $order->delete(true),
            'total' => $order->set_total($given['total']),
            'currency' => $order->set_currency($given['currency']),
            default => $order->set_status($given['to']),
        };
        if ($order->get_id() !== 0 && $given['to'] !== 'trash') {
            $order->save();
        }

        return null;
    },
    // As the button on the order page; returns why it failed.
    'refund' => static function (array $given) use ($break): mixed {
        $break($given);
        $made = wc_create_refund(['order_id' => $given['id'], 'amount' => $given['amount'], 'refund_payment' => true]);

        return is_wp_error($made) ? $made->get_error_message() : null;
    },
    'unexpected' => static fn (array $given): mixed => FlorinWoo\Unexpected\Payments::open($given['id']),
    // Runs the retries that wait because Florin did not answer.
    'close-later' => static function (): mixed {
        $actions = as_get_scheduled_actions(['hook' => 'florin_payments_close', 'status' => 'pending', 'per_page' => 50]);
        foreach ($actions as $id => $action) {
            ActionScheduler::runner()->process_action($id);
        }

        return count($actions);
    },
    // Every mail goes into a file.
    'keep-mails' => static function () use ($folder): mixed {
        wp_mkdir_p(WPMU_PLUGIN_DIR);
        $code = '<?php add_filter("pre_wp_mail", static fn ($sent, $mail) => (bool) file_put_contents(' . var_export("$folder/mails.log", true) . ', json_encode($mail) . "\n", FILE_APPEND), 10, 2);';
        file_put_contents("$folder/mails.log", '');

        return file_put_contents(WPMU_PLUGIN_DIR . '/keep-mails.php', $code);
    },
    'mails' => static fn (): mixed => array_map(static fn (string $line): mixed => json_decode($line, true), file("$folder/mails.log")),
    'set-status' => static function (array $given): mixed {
        wc_get_order($given['id'])->update_status($given['status']);

        return null;
    },
    'rename' => static function (array $given) use ($product): mixed {
        $chair = $product();
        $chair->set_name($given['name']);
        $chair->save();

        return null;
    },
    'pay-elsewhere' => static function (array $given): mixed {
        $order = wc_get_order($given['id']);
        $order->set_payment_method('bacs');
        $order->payment_complete('by bank');

        return null;
    },
    // A page with this HTML in it, as an owner would paste it into a Custom HTML block.
    'page' => static function (array $given): mixed {
        wp_set_current_user(1);
        $id = wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Chairs', 'post_content' => wp_slash("<!-- wp:html -->\n{$given['html']}\n<!-- /wp:html -->")]);

        return get_permalink($id);
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
            'pay' => $order->get_checkout_payment_url(),
        ];
    },
    'stock' => static fn (): mixed => $product()->get_stock_quantity(),
];

echo "\n", json_encode($commands[$command]($given)), "\n";
