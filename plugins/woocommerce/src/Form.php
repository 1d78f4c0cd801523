<?php

declare(strict_types=1);

namespace FlorinWoo;

/** The settings page: fields, and the two buttons below them. */
final class Form
{
    /** @return array<string, array<string, mixed>> */
    public static function fields(): array
    {
        $key = static fn (string $title, string $starts): array => [
            'title' => $title,
            'type' => 'password',
            'description' => sprintf(
                /* translators: %s: sk_test_… or sk_live_… */
                __('From Keys in the dashboard of Florin: %s', 'florin-payments'),
                $starts,
            ),
            'default' => '',
            'custom_attributes' => ['autocomplete' => 'off'],
        ];
        $secret = static fn (string $title): array => [
            'title' => $title,
            'type' => 'password',
            'description' => __('Only if you don’t connect with the button below: whsec_…', 'florin-payments'),
            'default' => '',
            'custom_attributes' => ['autocomplete' => 'off'],
        ];

        return [
            'enabled' => ['title' => __('Enable', 'florin-payments'), 'type' => 'checkbox', 'label' => __('Take payments with Florin', 'florin-payments'), 'default' => 'no'],
            'title' => ['title' => __('Title', 'florin-payments'), 'type' => 'text', 'description' => __('What customers choose at the checkout.', 'florin-payments'), 'default' => __('Card or bank', 'florin-payments')],
            'description' => ['title' => __('Description', 'florin-payments'), 'type' => 'textarea', 'default' => __('You pay on a secure page and come back here.', 'florin-payments')],
            'base_url' => ['title' => __('Address of Florin', 'florin-payments'), 'type' => 'url', 'description' => __('Such as https://pay.example.com', 'florin-payments'), 'default' => ''],
            'testmode' => ['title' => __('Test mode', 'florin-payments'), 'type' => 'checkbox', 'label' => __('Use the test key: no money moves', 'florin-payments'), 'default' => 'yes'],
            'test_key' => $key(__('Test key', 'florin-payments'), 'sk_test_…'),
            'live_key' => $key(__('Live key', 'florin-payments'), 'sk_live_…'),
            'test_webhook_secret' => $secret(__('Webhook secret, test', 'florin-payments')),
            'live_webhook_secret' => $secret(__('Webhook secret, live', 'florin-payments')),
        ];
    }

    public static function buttons(): void
    {
        wp_enqueue_script('florin-admin', plugins_url('assets/admin.js', FLORIN_PAYMENTS_FILE), [], '0.1.0', true);
        $endpoint = Settings::endpoint(Settings::mode());
        printf(
            '<p class="florin-connection" data-url="%s" data-nonce="%s"><button type="button" class="button" data-do="test" disabled>%s</button> <button type="button" class="button" data-do="endpoint" disabled>%s</button> <span role="status">%s</span></p><p class="description">%s <code>%s</code></p>',
            esc_url(admin_url('admin-ajax.php')),
            esc_attr(wp_create_nonce('florin_connection')),
            esc_html__('Test connection', 'florin-payments'),
            esc_html__('Connect notifications', 'florin-payments'),
            esc_html($endpoint === null ? __('Notifications are not connected yet.', 'florin-payments') : __('Notifications are connected.', 'florin-payments')),
            esc_html__('Save changes first. Florin reports payments, refunds and disputes to', 'florin-payments'),
            esc_html(Settings::callbackUrl()),
        );
    }
}
