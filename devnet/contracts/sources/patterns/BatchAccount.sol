// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC1155Receiver, IERC721Receiver} from "../tokens/TokenReceiver.sol";

/// @title Code for an account that wants to do several things at once
/// @notice An account that delegates to this contract (EIP-7702) calls itself with a list of calls: all succeed, or none.
/// @dev Keeps no storage, so that delegating to something else later leaves nothing behind.
contract BatchAccount is IERC721Receiver, IERC1155Receiver {
    /// @notice One call of a batch.
    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    event BatchExecuted(address indexed account, uint256 calls);

    /// @notice Only the account itself runs batches.
    error NotSelf(address caller);

    /// @notice The call with this number failed with this answer.
    error CallFailed(uint256 index, bytes answer);

    receive() external payable {}

    /// @notice Makes all calls in order.
    function execute(Call[] calldata calls) external payable {
        if (msg.sender != address(this)) revert NotSelf(msg.sender);
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory answer) = calls[i].target.call{value: calls[i].value}(calls[i].data);
            if (!success) revert CallFailed(i, answer);
        }
        emit BatchExecuted(address(this), calls.length);
    }

    /// @inheritdoc IERC721Receiver
    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155Received(address, address, uint256, uint256, bytes calldata) external pure returns (bytes4) {
        return IERC1155Receiver.onERC1155Received.selector;
    }

    /// @inheritdoc IERC1155Receiver
    function onERC1155BatchReceived(address, address, uint256[] calldata, uint256[] calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        return IERC1155Receiver.onERC1155BatchReceived.selector;
    }

    /// @notice ERC-165: the interfaces of ERC-165 and of both receivers.
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == type(IERC721Receiver).interfaceId || id == type(IERC1155Receiver).interfaceId;
    }
}
